/** What a text can say of the object of a run, and of the playbook. */
export const PLACEHOLDERS = ['title', 'type', 'id', 'url', 'source', 'tlp', 'playbook'] as const

/** Words and dots in braces. Other braces are text. */
const PLACEHOLDER = /\{([a-z_][a-z0-9_.]*)\}/gi

/** A placeholder such as `{steps.enrich.found}`. */
const OF_STEP = /^steps\.([a-z0-9_]+)\.([a-z0-9_]+)$/

/** What is wrong with the placeholders of a text, given the ids of earlier steps. */
export function placeholderFaults(text: string, earlier: readonly string[]): string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([whole, name = '']) => {
    if ((PLACEHOLDERS as readonly string[]).includes(name)) return []
    const step = OF_STEP.exec(name)?.[1]
    if (step !== undefined)
      return earlier.includes(step) ? [] : [`${whole} must name an earlier step, and '${step}' is none`]
    const known = PLACEHOLDERS.map((each) => `{${each}}`).join(', ')
    return [`${whole} is no placeholder. There are ${known} and {steps.<id>.<output>}`]
  })
}

/** Whether a text has placeholders. */
export const hasPlaceholders = (text: string): boolean => text.search(PLACEHOLDER) >= 0

/** Titles can be long, and a text can name them a thousand times. */
const [MAX_VALUE_LENGTH, MAX_FILLED_LENGTH] = [2000, 50_000]

/**
 * The text with its placeholders replaced. Values are inserted as they are, and braces in them are text; `encode` writes them in another language,
 * such as HTML. What is too long ends with an ellipsis.
 */
export function fillPlaceholders(
  text: string,
  values: Readonly<Record<string, string>>,
  outputOf: (step: string, name: string) => unknown,
  encode: (value: string) => string = (value) => value,
): string {
  const replacement = (whole: string, name: string): string => {
    if (Object.hasOwn(values, name)) return values[name] ?? ''
    const [, step, output] = OF_STEP.exec(name) ?? []
    return step === undefined || output === undefined ? whole : shown(outputOf(step, output))
  }
  const filled = text.replaceAll(PLACEHOLDER, (whole: string, name: string) =>
    encode(shortened(replacement(whole, name), MAX_VALUE_LENGTH)),
  )
  return shortened(filled, MAX_FILLED_LENGTH)
}

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

/** An output as text. A step that was skipped has none. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(shown).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
