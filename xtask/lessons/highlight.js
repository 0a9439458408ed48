// Colours for the few languages that the slides show. Knows tokens only: nothing of slides or time.

const keywords = {
  js: /^(?:const|let|async|await|return|if|throw|new|switch|case|default|null|undefined|true|false)$/,
  json: /^(?:true|false|null)$/,
  rust: /^(?:let|move|fn|async|await|struct|impl|pub|use|true|false)$/,
  xml: /^$/,
};

const patterns = {
  code: /(?<comment>\/\/.*)|(?<string>"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)|(?<number>\b\d[\d_.]*\b)|(?<name>[A-Za-z_$][\w$]*!?)|(?<mark>[{}()[\];,.:=|&<>!+-]+)/g,
  xml: /(?<tag><\/?[\w_]+|\/?>)|(?<string>"[^"]*")|(?<name>[\w]+)(?==)/g,
};

/** The lines of `source`, each an array of `{kind, text}`. */
function highlight(source, language) {
  return source.split("\n").map(line => {
    const tokens = [];
    let end = 0;
    for (const match of line.matchAll(language === "xml" ? patterns.xml : patterns.code)) {
      if (match.index > end) tokens.push({ kind: "plain", text: line.slice(end, match.index) });
      end = match.index + match[0].length;
      tokens.push({ kind: kindOf(match, line.slice(end), language), text: match[0] });
    }
    if (end < line.length) tokens.push({ kind: "plain", text: line.slice(end) });
    return tokens;
  });
}

function kindOf(match, rest, language) {
  const kind = Object.entries(match.groups).find(([, text]) => text !== undefined)[0];
  if (kind === "string" && language === "json" && /^\s*:/.test(rest)) return "key";
  if (kind !== "name") return kind;
  if (language === "xml") return "key";
  if (keywords[language].test(match[0])) return "keyword";
  if (/^\(/.test(rest) || match[0].endsWith("!")) return "call";
  return "plain";
}
