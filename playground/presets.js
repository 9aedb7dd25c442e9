// Scenarios to start from.
"use strict";

carom.live.PRESETS = {
  "Newton's cradle": "title: Newton's cradle\nlaws: [lzb, moreau, binary]\nchain:\n  count: 5\n  radius: 0.01\n  material: steel\n  velocity: [1]\n  restitution: 0.97\n",
  "two balls strike": "title: Two balls come in\nlaws: [lzb, moreau]\nchain:\n  count: 5\n  radius: 0.01\n  material: steel\n  velocity: [1, 1]\n  restitution: 1\n",
  "a column on a wall": "title: A column on a wall\nlaws: [lzb, poisson, moreau]\nchain:\n  count: 4\n  mass: 1\n  velocity: [1, 1, 1, 1]\n  restitution: 0.8\n  exponent: 1.5\n  wall: right\n",
  "a wave in 40 beads": "title: A wave in 40 beads\nlaws: [lzb, moreau]\nchain:\n  count: 40\n  mass: 1\n  velocity: [1]\n  restitution: 1\n  exponent: 1.5\n",
  "a decorated chain": "title: Small beads between large ones\nlaws: [lzb, binary]\nchain:\n  count: 11\n  mass: [1, 0.2, 1, 0.2, 1, 0.2, 1, 0.2, 1, 0.2, 1]\n  velocity: [1]\n  restitution: 1\n",
  "Bernoulli's problem": "title: Bernoulli's problem\nlaws: [lzb, moreau, binary]\nbodies:\n  - {name: cue, radius: 1, mass: 1, position: [0, 0], velocity: [1, 0]}\n  - {name: upper, radius: 1, mass: 1, position: [sqrt(3), 1]}\n  - {name: lower, radius: 1, mass: 1, position: [sqrt(3), -1]}\ncontacts:\n  restitution: 1\n",
  "the break": "title: The break\nlaws: [lzb, moreau, binary]\nbodies:\n  - {name: cue, radius: 1, mass: 1, position: [-2, 0], velocity: [1, 0]}\n  - {name: one, radius: 1, mass: 1, position: [0, 0]}\n  - {name: two, radius: 1, mass: 1, position: [sqrt(3), 1]}\n  - {name: three, radius: 1, mass: 1, position: [sqrt(3), -1]}\n  - {name: four, radius: 1, mass: 1, position: [2*sqrt(3), 2]}\n  - {name: five, radius: 1, mass: 1, position: [2*sqrt(3), 0]}\n  - {name: six, radius: 1, mass: 1, position: [2*sqrt(3), -2]}\ncontacts:\n  restitution: 0.95\n",
  "a rocking block": "title: A block rocks to rest\nlaws: [poisson]\nbodies:\n  - {name: block, shape: box, size: [0.4, 1], mass: 1, position: [0, 0.53], angle: 0.1, velocity: [0, 0], spin: 0}\nwalls:\n  - {name: floor, point: [0, 0], normal: [0, 1]}\ncontacts:\n  restitution: 0.3\nsimulate:\n  duration: 2\n  gravity: [0, -9.81]\n  stop: {at_rest: true}\n",
  "a bouncing ball": "title: A ball bounces to rest\nlaws: [lzb]\nbodies:\n  - {name: ball, radius: 0.1, mass: 1, position: [0, 1.1], velocity: [0.5, 0]}\nwalls:\n  - {name: floor, point: [0, 0], normal: [0, 1]}\ncontacts:\n  restitution: 0.8\nsimulate:\n  duration: 5\n  gravity: [0, -9.81]\n  stop: {at_rest: true}\n",
};
