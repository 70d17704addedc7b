/** How long to wait for the search page to render its input. */
const TIMEOUT_MS = 2_000

const BOX =
  '#main [data-search-box], #main [role="search"] input, #main [role="search"] textarea, #main input[type="search"]'

/** Focuses the input of the search page as soon as it is rendered. */
export function focusSearchBox(): void {
  const since = performance.now()
  const look = () => {
    const box = document.querySelector<HTMLInputElement>(BOX)
    if (box) {
      box.focus()
      box.select?.()
    } else if (performance.now() - since < TIMEOUT_MS) requestAnimationFrame(look)
  }
  look()
}
