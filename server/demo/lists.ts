/** The entries of a list in a text, separated by commas or line ends. */
export const listOf = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
