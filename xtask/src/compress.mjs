// Writes a .br and a .gz beside each file that compresses well, and prints each file's name, size and brotli size.
// Node brings both encoders; as Rust dependencies they would slow down every first `cargo xtask serve`.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import * as zlib from "node:zlib";

const [folder] = process.argv.slice(2);
const compressible = /\.(css|html|js|json|svg|txt|vtt|wasm|webmanifest)$/;
const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

const names = (await readdir(folder, { recursive: true })).filter((name) => compressible.test(name)).sort();
const lines = await Promise.all(
  names.map(async (name) => {
    const path = join(folder, name);
    const plain = await readFile(path);
    const { BROTLI_PARAM_MODE, BROTLI_PARAM_SIZE_HINT, BROTLI_MODE_GENERIC, BROTLI_MODE_TEXT } = zlib.constants;
    const params = {
      [BROTLI_PARAM_MODE]: name.endsWith(".wasm") ? BROTLI_MODE_GENERIC : BROTLI_MODE_TEXT,
      [BROTLI_PARAM_SIZE_HINT]: plain.length,
    };
    const small = await brotli(plain, { params });
    await Promise.all([writeFile(`${path}.br`, small), writeFile(`${path}.gz`, await gzip(plain, { level: 9 }))]);
    return `${name}\t${plain.length}\t${small.length}`;
  }),
);
console.log(lines.join("\n"));
