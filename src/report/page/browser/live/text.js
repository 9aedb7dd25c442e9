// A scenario as text that controls change: numbers, laws, and what one body has. Only what is changed is touched.
"use strict";


// ---- Fields -----------------------------------------------------------------------------------

// The first place where a field stands as a number, in the text or in an option PATH=VALUE.
carom.live.text.placeOf = function (text, name) {
  const found = new RegExp("(^|[\\s{,.])(" + name + "\\s*[:=]\\s*)(-?[\\d.]+(?:e[-+]?\\d+)?)(?=\\s*([,}\\n#]|$))").exec(text);
  return found && { start: found.index + found[1].length + found[2].length, number: found[3] };
};

carom.live.text.withNumber = function (text, name, value) {
  const place = carom.live.text.placeOf(text, name);
  return place ? text.slice(0, place.start) + value + text.slice(place.start + place.number.length) : text;
};

// ---- Laws -------------------------------------------------------------------------------------

// The names of a list in one line; [] where the file has none, null where they are written in another way.
carom.live.text.lawsOf = function (text) {
  const found = /^laws:\s*\[([\w\s,-]*)\]\s*$/m.exec(text);
  return found ? found[1].split(",").map((name) => name.trim()).filter(Boolean) : /^laws?:/m.test(text) ? null : [];
};

carom.live.text.withLaws = function (text, laws) {
  const line = "laws: [" + laws.join(", ") + "]";
  return /^laws:/m.test(text) ? text.replace(/^laws:.*$/m, line) : text.replace(/^(title:.*\n)?/, "$1" + line + "\n");
};

// ---- Values by their place --------------------------------------------------------------------

// Where the bracket that opens at `start` is closed.
carom.live.text.closing = function (text, start) {
  let depth = 0;
  for (let k = start; k < text.length; k++) {
    depth += "[{".includes(text[k]) ? 1 : "]}".includes(text[k]) ? -1 : 0;
    if (depth === 0) {
      return k;
    }
  }
  return text.length;
};

// The lines of a block at the left margin: from after its name to the next one; null: there is none.
carom.live.text.blockOf = function (text, name) {
  const found = new RegExp("^" + name + ":", "m").exec(text);
  if (!found) {
    return null;
  }
  const start = found.index + found[0].length, next = /\n(?=[^\s#-])/g;
  next.lastIndex = start;
  const after = next.exec(text);
  return { start, end: after ? after.index + 1 : text.length };
};

// Text with the value of a field of a mapping in a range; a field that is not there is put in front.
carom.live.text.withValue = function (text, { start, end }, name, value) {
  const found = new RegExp("(^|[\\s{,])" + name + ":[ \\t]*").exec(text.slice(start, end));
  if (found) {
    const from = start + found.index + found[0].length;
    const to = "[{".includes(text[from]) ? carom.live.text.closing(text, from) + 1
      : from + /^[^,}\n#]*/.exec(text.slice(from))[0].trimEnd().length;
    return text.slice(0, from) + value + text.slice(to);
  }
  const flow = /^[\s-]*\{/.exec(text.slice(start, end));
  if (flow) {
    const at = start + flow[0].length;
    return text.slice(0, at) + name + ": " + value + ", " + text.slice(at);
  }
  const line = /^\s*\n?([ -]*)(?=\S)/.exec(text.slice(start, end));
  const at = start + line[0].length;
  return text.slice(0, at) + name + ": " + value + "\n" + line[1].replace("-", " ") + text.slice(at);
};

// ---- Bodies -----------------------------------------------------------------------------------

// The ranges of the items of a list in a block, of mappings in braces or after dashes.
carom.live.text.itemsOf = function (text, { start, end }) {
  const items = [], flow = /^\s*\[/.exec(text.slice(start, end));
  if (flow) {
    for (let k = start + flow[0].length; k < end; k++) {
      if (text[k] === "{") {
        const close = carom.live.text.closing(text, k);
        items.push({ start: k, end: close + 1 });
        k = close;
      } else if (text[k] === "]") {
        break;
      }
    }
    return items;
  }
  const dash = /^([ ]*)- /gm, part = text.slice(start, end);
  let found, indent = null;
  while ((found = dash.exec(part))) {
    indent = indent === null ? found[1].length : indent;
    if (found[1].length === indent) {
      items.push({ start: start + found.index, end });
      if (items.length > 1) {
        items[items.length - 2].end = start + found.index;
      }
    }
  }
  return items;
};

// Text in which body i has a value; null, where bodies do not stand in it one by one. `values` are those of all
// bodies of a chain, which has lists.
carom.live.text.withBody = function (text, i, name, values, count) {
  const { blockOf, itemsOf, withValue } = carom.live.text, list = (numbers) => "[" + numbers.join(", ") + "]";
  const chain = blockOf(text, "chain"), bodies = blockOf(text, "bodies");
  if (chain) {
    let long = values.length;
    while (name === "velocity" && long > 1 && values[long - 1] === 0) {
      long--; // balls beyond the end of the list are at rest
    }
    return withValue(text, chain, name, list(values.slice(0, long)));
  }
  const items = bodies ? itemsOf(text, bodies) : [];
  const value = Array.isArray(values[i]) ? list(values[i]) : values[i];
  return items.length === count ? withValue(text, items[i], name, value) : null;
};
