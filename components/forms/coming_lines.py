"""A code is a line of the basket from the moment it is scanned, long before the server can draw that line.

The page draws it into a picture of the basket, which stands in the basket's place until that has the line itself
(docs/platform-notes/live-connection.md). Nothing in the picture can be typed into, and nothing of it is sent.
"""

from typing import Final

COMING_LINES_JS: Final = """
const FIELDS = ["product_id", "product_title", "product_price", "category"];

class ComingLines {
  #told = [];  // of each line at the server: id, SKU, quantity, and the codes of which one more is one unit more
  #waits = false;
  #asked = 0;
  #picture = null;
  adding = "…";  // what stands as its title

  add(code) {
    this.#picture ??= this.#begin();
    if (!this.#picture) return;
    const name = code.toLowerCase(), told = this.#told.find(([, , , ...codes]) => codes.includes(name));
    const rows = this.#rows(this.#picture);
    const row = rows.find((each) => each.dataset.code === name || told && each.matches(`.st-key-item-${told[0]}`));
    const quantity = row && this.#field(row, "quantity");
    if (!row) this.#newLine(rows.at(-1), code, name);
    else if (/^[0-9]+$/.test(quantity.value)) quantity.value = Number(quantity.value) + 1;
  }

  told(lines, waits) {
    [this.#told, this.#waits, this.#asked] = [lines, waits, performance.now()];
  }

  end() {
    this.#picture?.remove();
    this.#picture = null;
    this.#basket()?.parentElement.removeAttribute("data-covered");
  }

  #begin() {
    const basket = this.#basket(), rows = basket ? this.#rows(basket) : [];
    // Nobody loses the field they are in; and of rows whose fields are still to come there is no picture.
    if (!rows.length || !rows.every(this.#isWhole) || basket.contains(document.activeElement)) return null;
    const picture = basket.parentElement.cloneNode(true), names = ["id", "for", "aria-label"];
    picture.firstElementChild.classList.remove("st-key-basket");
    for (const part of picture.querySelectorAll("*")) names.forEach((name) => part.removeAttribute(name));
    picture.setAttribute("data-coming", "");
    picture.setAttribute("aria-hidden", "true");  // the scan field says it
    picture.inert = true;
    basket.parentElement.setAttribute("data-covered", "");
    basket.parentElement.after(picture);  // behind it, where its owner does not come upon it
    requestAnimationFrame(() => this.#look());
    return picture;
  }

  #look() {
    if (!this.#picture) return;
    // A code that changed nothing the server could tell of does not keep the picture for ever.
    const late = !this.#waits && performance.now() - this.#asked > 2000;
    if (late || !this.#basket() || (!this.#waits && this.#isDrawn())) this.end();
    else requestAnimationFrame(() => this.#look());
  }

  #isDrawn() {
    return this.#told.every(([id, sku, quantity]) => {
      const row = this.#basket().querySelector(`.st-key-item-${id}`);
      return row && this.#field(row, "product_id")?.value === sku && this.#field(row, "quantity")?.value === quantity;
    });
  }

  #newLine(last, code, name) {
    const isEmpty = FIELDS.every((name) => !this.#field(last, name).value);
    const row = isEmpty ? last : last.cloneNode(true);
    row.dataset.code = name;
    const texts = { product_id: code, product_title: this.adding, quantity: 1 };
    for (const field of row.querySelectorAll("input")) field.value = "";
    for (const [field, text] of Object.entries(texts)) this.#field(row, field).value = text;
    if (isEmpty) return;
    row.className = row.className.replace(/(st-key-item-)\\S+/, "$1coming");
    for (const part of [...row.children]) if (!this.#field(part, "product_id")) part.remove();
    for (const label of row.querySelectorAll("label")) label.remove();
    const wrapper = last.parentElement.cloneNode(false);
    wrapper.append(row);
    last.parentElement.after(wrapper);
  }

  #isWhole = (row) => [...FIELDS, "quantity"].every((name) => this.#field(row, name));

  #basket() { return document.querySelector(".st-key-basket"); }

  #rows(within) { return [...within.querySelectorAll('[class*="st-key-item-"]')]; }

  #field(row, name) { return row.querySelector(`[class*="-${name}"] input`); }
}
"""  # platform: markup st-key- aria-label
