// What is done to each build, in this order: trunk runs its hooks side by side, and these change the same files.
await import("./kit_marks.mjs");
await import("./lighten.mjs");
