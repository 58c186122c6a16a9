/**
 * A modal as a dialog: labels with text inputs and selects, and plain text between. Escape or Cancel closes it and
 * tells the bot nothing; what was typed stays when the bot does not answer, so that it can be sent again.
 */

import { dismissModal, submitModal } from "./actions.js";
import { isSelect, selectSettings } from "./components.js";
import { button, el, icon } from "./dom.js";
import { dropdown } from "./dropdown.js";
import { markdown } from "./markdown.js";

const LABEL = 18;
const TEXT_INPUT = 4;
const TEXT_DISPLAY = 10;
const ROW = 1;
const PARAGRAPH = 2;

const required = (component) => component.required !== false;

function textProblem(component, value) {
  const { min_length: min = 0, max_length: max = 4000 } = component;
  if (required(component) && !value.trim()) return "This field is required.";
  if (value && value.length < min) return `At least ${min} characters, please.`;
  return value.length > max ? `At most ${max} characters, please.` : null;
}

function textInput(component, label) {
  const { placeholder, custom_id: customId, max_length: max, value = "" } = component;
  const attributes = {
    "aria-label": label,
    "data-custom-id": customId,
    placeholder,
    maxlength: max,
    autocomplete: "off",
    "aria-required": String(required(component)),
  };
  const input = component.style === PARAGRAPH ? el("textarea", { ...attributes, rows: 4 }) : el(
    "input",
    { type: "text", ...attributes },
  );
  input.value = value;
  return {
    customId,
    node: input,
    target: input,
    value: () => input.value,
    problem: () => textProblem(component, input.value),
  };
}

function selectProblem(component, values, min, max) {
  if (!required(component) && values.length === 0) return null;
  if (values.length < Math.max(
    min,
    required(component) ? 1 : 0,
  )) return min > 1 ? `Choose at least ${min}.` : "This field is required.";
  return values.length > max ? `Choose at most ${max}.` : null;
}

function select(component, label) {
  const settings = selectSettings(component, label);
  const list = dropdown({ ...settings, min: required(component) ? settings.min : 0 });
  const problem = () => selectProblem(component, list.values(), settings.min, settings.max);
  return { customId: component.custom_id, node: list.node, target: list.button, value: () => list.values(), problem };
}

function control(component, label) {
  if (component.type === TEXT_INPUT) return textInput(component, label);
  return isSelect(component) ? select(component, label) : null;
}

function labelled(component, label, description, fields) {
  const field = control(component, label);
  if (!field) return el("p", { class: "unknown" }, `(a field of type ${component.type}, not shown here)`);
  field.error = el("div", { class: "field-error", role: "alert", hidden: true });
  fields.push(field);
  const star = required(component) ? el("span", { class: "required", "aria-hidden": "true" }, " *") : null;
  const title = el("div", { class: "modal-label" }, label, star);
  return el(
    "div",
    { class: "modal-field", "data-testid": "modal-field", "data-label": label },
    title,
    description ? el("small", {}, description) : null,
    field.node,
    field.error,
  );
}

/** A top-level component of a modal as nodes; its inputs are added to `fields`. */
function part(component, fields) {
  if (component.type === LABEL) return labelled(component.component, component.label, component.description, fields);
  if (component.type === TEXT_DISPLAY) return markdown(component.content);
  if (component.type === ROW) return component.components.map((inner) => labelled(
    inner,
    inner.label ?? "",
    null,
    fields,
  ));
  return el("p", { class: "unknown" }, `(a component of type ${component.type}, not shown here)`);
}

/** Shows each field's problem, goes to the first; whether all is well. */
function check(fields) {
  let first = null;
  for (const field of fields) {
    const problem = field.problem();
    field.error.textContent = problem ?? "";
    field.error.hidden = !problem;
    field.target.setAttribute("aria-invalid", String(Boolean(problem)));
    if (problem) first ??= field;
  }
  first?.target.focus();
  return first === null;
}

class ModalDialog {
  constructor(modal) {
    this.modal = modal;
    this.fields = [];
    const parts = modal.components.map((component) => part(component, this.fields));
    this.error = el("div", { class: "field-error", role: "alert", "data-testid": "modal-error", hidden: true });
    this.submitButton = el(
      "button",
      { type: "submit", class: "button button-primary", "data-testid": "modal-submit" },
      "Submit",
    );
    const cancel = button(
      { class: "button button-secondary", "data-testid": "modal-cancel", onclick: () => this.dialog.close() },
      "Cancel",
    );
    const closer = button(
      { class: "icon-button", "aria-label": "Close", onclick: () => this.dialog.close() },
      icon("close"),
    );
    this.form = el(
      "form",
      { novalidate: true },
      el("header", {}, el("h2", {}, modal.title), closer),
      el("div", { class: "modal-body" }, parts, this.error),
      el("footer", {}, cancel, this.submitButton),
    );
    this.form.addEventListener("submit", (event) => (event.preventDefault(), this.submit()));
    this.dialog = el(
      "dialog",
      { class: "modal", "data-testid": "modal", "aria-label": modal.title, onclose: () => this.closed() },
      this.form,
    );
  }

  show() {
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.fields[0]?.target.focus();
  }

  submit() {
    if (this.waiting || !check(this.fields)) return;
    this.wait(true);
    const values = Object.fromEntries(this.fields.map((field) => [field.customId, field.value()]));
    submitModal(this.modal.id, values, (problem) => {
      this.wait(false);
      this.sent = problem === null;
      if (this.sent) this.dialog.close();
      this.error.textContent = problem ?? "";
      this.error.hidden = !problem;
    });
  }

  wait(waiting) {
    this.waiting = waiting;
    this.submitButton.classList.toggle("waiting", waiting);
    this.submitButton.setAttribute("aria-busy", String(waiting));
  }

  closed() {
    if (!this.sent) dismissModal(this.modal.id);
    this.dialog.remove();
  }
}

/** Shows a modal; another one that is open is closed first. */
export function showModal(modal) {
  document.querySelector("dialog.modal")?.close();
  new ModalDialog(modal).show();
}
