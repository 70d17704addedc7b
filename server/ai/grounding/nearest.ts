/** The words of a text in lower case, each once. */
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu))

const MAX_WEIGHT = 10

/** How near each text is to another one: the words that they share. Rare ones count more, and so do long ones, as short ones are grammar. */
export function nearness(texts: readonly string[], to: string): readonly number[] {
  const wanted = wordsOf(to)
  const sets = texts.map(wordsOf)
  const counts = new Map<string, number>()
  for (const set of sets) for (const word of set) counts.set(word, (counts.get(word) ?? 0) + 1)
  return sets.map((set) => {
    let score = 0
    for (const word of wanted) if (set.has(word)) score += Math.min(word.length, MAX_WEIGHT) / (counts.get(word) ?? 1)
    return score
  })
}

const MAX_QUOTE = 400

/** The sentence of a text that is nearest to a statement, as it stands there; the first one if none shares a word with it. */
export function nearestSentence(text: string, statement: string): string {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
  const sentences = [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter((each) => each !== '')
  const scores = nearness(sentences, statement)
  return quoted(sentences[scores.indexOf(Math.max(...scores))] ?? '')
}

function quoted(sentence: string): string {
  if (sentence.length <= MAX_QUOTE) return sentence
  const end = sentence.lastIndexOf(' ', MAX_QUOTE)
  return `${sentence.slice(0, end > MAX_QUOTE / 2 ? end : MAX_QUOTE).toWellFormed()}…`
}
