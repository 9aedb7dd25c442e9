// What the pointer, or the focus of the keyboard, is on: a body or a contact, shown wherever it appears.
"use strict";

// Bodies by their numbers, and a contact; -1: none, then the contacts of the bodies are meant.
carom.linked = { bodies: [], contact: -1 };

carom.bodyOfCoordinate = function (k) {
  const { starts } = carom.data.report;
  const after = starts.findIndex((start) => start > k);
  return after < 0 ? starts.length - 1 : after - 1;
};

carom.bodiesOfContact = function (j) {
  const contact = carom.data.report.scene && carom.data.report.scene.contacts[j];
  return contact ? contact.between.filter((i) => i >= 0) : [];
};

// An item is {body}, {bodies}, {coordinate} or {contact}; -> what is linked then.
carom.linkOf = function (item) {
  if (item.contact !== undefined) {
    return { bodies: carom.bodiesOfContact(item.contact), contact: item.contact };
  }
  const bodies = item.bodies || [item.body !== undefined ? item.body : item.coordinate !== undefined ? carom.bodyOfCoordinate(item.coordinate) : -1];
  return { bodies: bodies.filter((i) => i >= 0), contact: -1 };
};

// null: nothing.
carom.link = function (item) {
  const link = item ? carom.linkOf(item) : { bodies: [], contact: -1 };
  const { bodies, contact } = carom.linked;
  if (contact === link.contact && bodies.length === link.bodies.length && bodies.every((i, k) => i === link.bodies[k])) {
    return;
  }
  carom.linked = link;
  for (const chart of Object.values(carom.charts)) {
    if (chart.showLink) {
      chart.showLink();
    }
  }
  for (const row of document.querySelectorAll("[data-link]")) {
    row.classList.toggle("linked", carom.isLinked(JSON.parse(row.dataset.link)));
  }
};

carom.anyLinked = () => carom.linked.bodies.length > 0 || carom.linked.contact >= 0;

carom.isLinked = function (item) {
  const { bodies, contact } = carom.linked, of = carom.linkOf(item);
  return of.contact >= 0 && contact >= 0 ? of.contact === contact : of.bodies.some((i) => bodies.includes(i));
};

// An element that stands for an item.
carom.linkElement = function (node, item) {
  node.dataset.link = JSON.stringify(item);
  const on = () => carom.link(item), off = () => carom.link(null);
  for (const [name, act] of [["pointerenter", on], ["focusin", on], ["pointerleave", off], ["focusout", off]]) {
    node.addEventListener(name, act);
  }
  return node;
};

// The item of a series, a bar or a row; null: none.
carom.itemOf = function ({ body, bodies, coordinate, contact }) {
  const item = { body, bodies, coordinate, contact };
  return carom.data.report.scene && Object.values(item).some((value) => value !== undefined) ? item : null;
};

// "ball 3 - ball 4"
carom.linkName = function () {
  const { bodies, contact } = carom.linked, { data } = carom;
  return contact >= 0 ? data.contact_names[contact] : bodies.map((i) => data.bodies[i]).join(", ");
};
