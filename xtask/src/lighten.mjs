// Makes a release lighter.
//
// - What a module of Rust imports from its bindings gets short names. wasm-bindgen ends each name with a hash, so that
//   crates do not take each other's names. In a finished module they are only weight, in the wasm and in the JavaScript
//   alike, and hardly anything compresses less: 3 % of the page after brotli.
// - What only readers need goes out of the bindings, and of the scripts that are loaded with them.
// - The page preloads its own scripts alone. trunk lets it preload those of all modules, and the kit's can wait.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const IMPORTS = 2;
const FUNCTION = 0;

/** Reads an unsigned number (LEB128) and says where it ends. */
function number(bytes, at) {
  for (let value = 0, shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

function written(value) {
  const bytes = [];
  for (; value > 0x7f; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return [...bytes, value];
}

const text = (string) => [...written(Buffer.byteLength(string)), ...Buffer.from(string)];

/** The import section with each function of `module` renamed by `rename`. */
function renamed(section, module, rename) {
  let [count, at] = number(section, 0);
  const parts = [Buffer.from(written(count))];
  const string = () => {
    const [length, start] = number(section, at);
    at = start + length;
    return section.subarray(start, at).toString();
  };
  for (; count > 0; count -= 1) {
    const [from, name, kind] = [string(), string(), section[at++]];
    if (kind !== FUNCTION) throw new Error(`${from} ${name}: an import that is no function is not expected`);
    let type;
    [type, at] = number(section, at);
    parts.push(Buffer.from([...text(from), ...text(from === module ? rename(name) : name), kind, ...written(type)]));
  }
  return Buffer.concat(parts);
}

/** Renames in a module's wasm and in its bindings. */
export function shorten(wasm, bindings, module) {
  const names = new Map();
  const rename = (name) => names.set(name, `_${names.size.toString(36)}`).get(name);
  const parts = [wasm.subarray(0, 8)];
  for (let at = 8; at < wasm.length; ) {
    const [size, start] = number(wasm, at + 1);
    const content = wasm.subarray(start, start + size);
    const kept = wasm[at] === IMPORTS ? renamed(content, module, rename) : content;
    parts.push(Buffer.from([wasm[at], ...written(kept.length)]), kept);
    at = start + size;
  }
  for (const [name, short] of names) {
    const places = bindings.split(` ${name}: function(`);
    if (places.length !== 2) throw new Error(`${name} is not defined once in the bindings, but ${places.length - 1} times`);
    bindings = places.join(` ${short}: function(`);
  }
  return [Buffer.concat(parts), withoutComments(bindings.replace(/^ +/gm, ""))];
}

/** Without the comments that begin a line. */
const withoutComments = (script) => script.replace(/^ *(\/\*\*[^]*?\*\/|\/\/.*)\n/gm, "");

// A debug build is looked into, and loads from next door.
if (process.env.TRUNK_PROFILE === "release") {
  const folder = process.env.TRUNK_STAGING_DIR;
  for (const file of await readdir(folder)) {
    if (!file.endsWith("_bg.wasm")) continue;
    const paths = [file, file.replace("_bg.wasm", ".js")].map((name) => join(folder, name));
    const bindings = await readFile(paths[1], "utf8");
    const [, module] = /"(\.\/[\w-]+_bg\.js)": import0/.exec(bindings) ?? [];
    if (!module) throw new Error(`${paths[1]} does not say what its wasm imports from it`);
    const short = shorten(await readFile(paths[0]), bindings, module);
    await Promise.all(paths.map((path, index) => writeFile(path, short[index])));
  }
  const scripts = await readdir(join(folder, "snippets"), { recursive: true });
  for (const name of ["boot.js", ...scripts.filter((name) => name.endsWith(".js")).map((name) => join("snippets", name))]) {
    const path = join(folder, name);
    await writeFile(path, withoutComments(await readFile(path, "utf8")));
  }
  const page = join(folder, "index.html");
  // trunk preloads the snippets that are there when the page's own build is through: with the kit's where that was
  // quicker, which a build from nothing is not.
  const whole = await readFile(page, "utf8");
  await writeFile(page, whole.replace(/<link rel="modulepreload" href="[^"]*\/src\/kit\/[^>]*>\n?/g, ""));
}
