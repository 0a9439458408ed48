// Gives the kit names of its own for the marks that Yew leaves on elements and events.
//
// Yew finds out whose an event is by numbers on elements (`__yew_subtree_id`, …), which each program counts from 1. The
// kit and the page's app are two programs in one document, and events pass through the one on their way to the other:
// under the same names a click in the panel runs some handler of the app. The names stand in the bindings alone.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const bindings = join(process.env.TRUNK_STAGING_DIR, "kit.js");
const text = await readFile(bindings, "utf8");
const marks = new Set(Array.from(text.matchAll(/\.(__yew_\w+)/g), ([, mark]) => mark));
for (const known of ["__yew_listener_id", "__yew_subtree_cache_key", "__yew_subtree_id"]) {
  if (!marks.delete(known)) throw new Error(`kit.js has no mark ${known}: does Yew name its marks otherwise now?`);
}
if (marks.size > 0) throw new Error(`kit.js has marks that are new: ${[...marks].join(", ")}`);
await writeFile(bindings, text.replaceAll(".__yew_", ".__praxis_kit_"));
