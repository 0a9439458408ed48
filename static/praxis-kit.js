// Importing this module defines <praxis-agent>; nothing else is needed. Its name and place stay the same.
import start from "./kit.js";

await start({ module_or_path: new URL("./kit_bg.wasm", import.meta.url) });
