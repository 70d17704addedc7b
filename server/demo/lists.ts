/** The entries of a list that is written as text, after commas or line ends. */
export const listOf = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
