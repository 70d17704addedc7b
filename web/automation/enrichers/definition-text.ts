/** A definition to begin with. */
export const NEW_DEFINITION = { title: 'My service', types: ['ipv4', 'domain'] }

type Read = { readonly value: Readonly<Record<string, unknown>> } | { readonly fault: string }

/** Reads the text of a definition, or says where it is not JSON. */
export function readDefinition(text: string): Read {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject
      ? { value: value as Readonly<Record<string, unknown>> }
      : { fault: 'Enter a JSON object in curly brackets.' }
  } catch (error) {
    return { fault: `This is not valid JSON${placeOf(text, String(error))}.` }
  }
}

/** The line of a syntax error, which browsers give as a line, as a position, or not at all. */
function placeOf(text: string, message: string): string {
  const line = /line (\d+)/.exec(message)?.[1]
  if (line) return ` (line ${line})`
  const position = /position (\d+)/.exec(message)?.[1]
  return position ? ` (line ${text.slice(0, Number(position)).split('\n').length})` : ''
}
