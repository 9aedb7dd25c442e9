// The program as it stands in a page: LZMA (lp = pb = 0), of which 13 bits are two characters of 91.
"use strict";

// All that is printed but " & <, so that nothing in it ends an element.
const PACKED_CHARACTERS = Array.from({ length: 94 }, (_, k) => String.fromCharCode(33 + k)).filter((c) => !'"&<'.includes(c));

// The text begins with a line "carom VERSION SIZE LC": bytes when unpacked, and how many bits of the byte before
// a literal depends on.
function unpackProgram(text) {
  const start = text.indexOf("carom "), end = text.indexOf("\n", start);
  const [size, lc] = text.slice(start, end).split(" ").slice(2).map(Number);
  return unpackLzma(unpackText(text, end + 1), size, lc);
}

function unpackText(text, from) {
  const value = new Uint8Array(128).fill(255);
  PACKED_CHARACTERS.forEach((c, k) => {
    value[c.charCodeAt(0)] = k;
  });
  const bytes = new Uint8Array(Math.ceil(((text.length - from) * 13) / 16) + 2);
  let at = 0, low = -1, bits = 0, count = 0;
  for (let k = from; k < text.length; k++) {
    const digit = value[text.charCodeAt(k)];
    if (digit === 255) { // the end of a line
      continue;
    }
    if (low < 0) {
      low = digit;
      continue;
    }
    bits |= (91 * digit + low) << count;
    low = -1;
    for (count += 13; count >= 8; count -= 8) {
      bytes[at++] = bits & 255;
      bits >>>= 8;
    }
  }
  return bytes.subarray(0, at);
}

// LZMA by its specification (Igor Pavlov, public domain): a range coder of 11-bit probabilities under which bytes and
// matches (length, distance) are chosen by what came before.
function unpackLzma(bytes, size, lc) {
  const out = new Uint8Array(size), ONE = 2048;
  const probabilities = (count) => new Uint16Array(count).fill(ONE / 2);
  let range = 0xffffffff, code = 0, at = 5;
  for (let k = 1; k < 5; k++) {
    code = ((code << 8) | bytes[k]) >>> 0;
  }
  const narrow = () => {
    if (range < 0x1000000) {
      range = (range << 8) >>> 0;
      code = ((code << 8) | bytes[at++]) >>> 0;
    }
  };
  const bit = (list, k) => {
    const p = list[k], bound = (range >>> 11) * p;
    if (code < bound) {
      range = bound;
      list[k] = p + ((ONE - p) >> 5);
      narrow();
      return 0;
    }
    range -= bound;
    code -= bound;
    list[k] = p - (p >> 5);
    narrow();
    return 1;
  };
  // The bits of a number, the highest first; each has a probability of its own after those before it.
  const tree = (list, from, count) => {
    let node = 1;
    for (let k = 0; k < count; k++) {
      node = 2 * node + bit(list, from + node);
    }
    return node - (1 << count);
  };
  const reverseTree = (list, from, count) => {
    let node = 1, value = 0;
    for (let k = 0; k < count; k++) {
      const one = bit(list, from + node);
      node = 2 * node + one;
      value |= one << k;
    }
    return value;
  };
  const direct = (count) => {
    let value = 0;
    for (let k = 0; k < count; k++) {
      range >>>= 1;
      const one = code >= range ? 1 : 0;
      code -= one * range;
      narrow();
      value = 2 * value + one;
    }
    return value;
  };

  const literals = probabilities(0x300 << lc), STATES = 12;
  const [isMatch, isRepeat, isOther, isThird, isFourth, isLong] = Array.from({ length: 6 }, () => probabilities(STATES));
  const slots = probabilities(4 * 64), special = probabilities(128), align = probabilities(16);
  const lengths = () => ({ choice: probabilities(2), low: probabilities(8), middle: probabilities(8), high: probabilities(256) });
  const ofMatch = lengths(), ofRepeat = lengths();
  const length = (list) => 2 + (bit(list.choice, 0) === 0 ? tree(list.low, 0, 3)
    : bit(list.choice, 1) === 0 ? 8 + tree(list.middle, 0, 3) : 16 + tree(list.high, 0, 8));
  const distance = (long) => {
    const slot = tree(slots, 64 * Math.min(long - 2, 3), 6), count = (slot >> 1) - 1, base = (2 | (slot & 1)) * 2 ** count;
    return slot < 4 ? slot : slot < 14 ? base + reverseTree(special, base - slot, count)
      : base + 16 * direct(count - 4) + reverseTree(align, 0, 4);
  };
  // After a match, the byte that a match of the same distance would give is a hint.
  const literal = (k, hint) => {
    const from = 0x300 * (k > 0 ? out[k - 1] >> (8 - lc) : 0);
    let node = 1;
    for (let shift = 7; hint >= 0 && shift >= 0; shift--) {
      const expected = (hint >> shift) & 1, one = bit(literals, from + ((1 + expected) << 8) + node);
      node = 2 * node + one;
      if (one !== expected) {
        break;
      }
    }
    while (node < 256) {
      node = 2 * node + bit(literals, from + node);
    }
    return node;
  };

  let state = 0, k = 0, last = [0, 0, 0, 0]; // distances, less 1
  const repeated = () => { // one of the last four distances; 0: a single byte at the last
    if (bit(isOther, state) === 0) {
      return bit(isLong, state);
    }
    const place = bit(isThird, state) === 0 ? 1 : 2 + bit(isFourth, state);
    last = [last[place], ...last.filter((_, i) => i !== place)];
    return 1;
  };
  while (k < size) {
    if (bit(isMatch, state) === 0) {
      out[k] = literal(k, state >= 7 ? out[k - last[0] - 1] : -1);
      k++;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let long = 1;
    if (bit(isRepeat, state) === 0) {
      long = length(ofMatch);
      last = [distance(long), ...last.slice(0, 3)];
      state = state < 7 ? 7 : 10;
    } else if (repeated() === 0) {
      state = state < 7 ? 9 : 11;
    } else {
      long = length(ofRepeat);
      state = state < 7 ? 8 : 11;
    }
    for (const end = Math.min(size, k + long); k < end; k++) {
      out[k] = out[k - last[0] - 1];
    }
  }
  return out;
}
