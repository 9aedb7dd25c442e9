// Frames: states at instants of an impact or a motion.
"use strict";

// ---- Frames ----------------------------------------------------------------------------------

// A frame holds what has changed since the one before, in whole units: start, count, values, ...
carom.unpack = function (track, frames, Numbers = Float32Array) {
  const all = new Numbers(frames * track.width);
  for (let row = 0; row < frames; row++) {
    const base = row * track.width;
    if (row > 0) {
      all.copyWithin(base, base - track.width, base);
    }
    const list = track.frames[row];
    for (let k = 0; k < list.length;) {
      const start = list[k], count = list[k + 1];
      for (let i = 0; i < count; i++) {
        all[base + start + i] = list[k + 2 + i] * track.unit;
      }
      k += 2 + count;
    }
  }
  return all;
};

// The frames of a result, or null; unpacked when it is first asked for.
carom.frames = function (result) {
  const found = (carom.data.histories || []).find((frames) => frames.result === result);
  if (!found) {
    return null;
  }
  if (!found.unpacked) {
    found.unpacked = {
      velocity: carom.unpack(found.velocity, found.count),
      force: carom.unpack(found.force, found.count),
      energy: carom.unpack(found.energy, found.count),
    };
    found.largest = {};
    for (const name of Object.keys(found.unpacked)) {
      found.largest[name] = carom.largest(found[name].extremes.filter((_, k) => k % 2 === 1));
    }
  }
  return found;
};

carom.frameValues = function (frames, name, row) {
  const count = frames[name].width;
  return frames.unpacked[name].subarray(row * count, (row + 1) * count);
};

// One contact or coordinate through all frames.
carom.trackSeries = function (frames, name, index, factor = 1) {
  const count = frames[name].width, values = frames.unpacked[name];
  return Array.from({ length: frames.count }, (_, row) => values[row * count + index] * factor);
};

// Time and value of the largest there was of a number, whichever frames were kept.
carom.extremeOf = function (frames, name, index) {
  const { extremes, width } = frames[name], each = extremes.length / width || 0;
  return extremes.slice((index + 1) * each - 2, (index + 1) * each);
};

// A number as [time, value], with the extremes between frames.
carom.pointsOf = function (frames, name, index, factor = 1) {
  const values = carom.trackSeries(frames, name, index), { extremes, width } = frames[name], each = extremes.length / width;
  const list = values.map((value, row) => [frames.time[row], value]);
  for (let k = index * each; k < (index + 1) * each; k += 2) {
    if (frames.time[carom.frameAt(frames, extremes[k])] < extremes[k]) {
      list.push([extremes[k], extremes[k + 1]]);
    }
  }
  return list.sort((a, b) => a[0] - b[0]).map(([time, value]) => [time, value * factor]);
};

// Linear interpolation between such points, at ascending times.
carom.interpolate = function (points, times) {
  let k = 0;
  return times.map((time) => {
    while (k + 1 < points.length && points[k + 1][0] <= time) {
      k++;
    }
    const [t, y] = points[k], [next, z] = points[k + 1] || [Infinity, y];
    return time > t ? y + ((z - y) * (time - t)) / (next - t) : y;
  });
};

// Several numbers at common times: those of the frames and of their extremes.
carom.commonCurves = function (frames, name, which, factor = 1) {
  const lists = which.map((index) => carom.pointsOf(frames, name, index, factor));
  const times = Float64Array.from(new Set(lists.flat().map(([time]) => time))).sort();
  return { times: Array.from(times), values: lists.map((points) => carom.interpolate(points, Array.from(times))) };
};

// The index of the last frame that is not after a time.
carom.frameAt = function (frames, time) {
  let low = 0, high = frames.count - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (frames.time[middle] <= time) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
};

carom.framesNote = function (frames) {
  return frames.count < frames.samples
    ? "This page keeps " + frames.count + " of the " + frames.samples + " computed instants: those that interpolation " +
      "reproduces worst. The largest force and energy of every contact and the largest and least velocity of every " +
      "coordinate are those of all instants; smaller peaks between two instants may be missing in charts. Values are " +
      "rounded to a millionth of the largest."
    : "All " + frames.samples + " computed instants are on this page; values are rounded to a millionth of the largest.";
};
