// Helpers of the editor tests: a drawing operated by mouse or touch.

/** Returns functions that click and drag on the drawing, by column and row of its grid. */
export async function paper(page) {
  const sheet = page.locator(".sheet-of-paper");
  await sheet.waitFor();
  await sheet.scrollIntoViewIfNeeded();
  const place = (column, row) =>
    sheet.evaluate(
      (svg, [x, y]) => {
        const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
        return [point.x, point.y];
      },
      [column * 48, row * 48],
    );
  return {
    sheet,
    place,
    async drag(from, to) {
      const [start, middle, end] = [await place(...from), await place((from[0] + to[0]) / 2, (from[1] + to[1]) / 2), await place(...to)];
      await page.mouse.move(...start);
      await page.mouse.down();
      await page.mouse.move(...middle);
      await page.mouse.move(...end);
      await page.mouse.up();
    },
    async click(at) {
      await page.mouse.click(...(await place(...at)));
    },
  };
}

/** Chooses one of several radio buttons. */
export const choose = (page, name, value) => page.locator(`label:has(input[name="${name}"][value="${value}"])`).click();

export const expression = (page) => page.locator("#expression").inputValue();
