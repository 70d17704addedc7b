/** A JA3 or JA3S string: a number of fields with numbers. */
export function ja3Of(text: string, count: number): string | undefined {
  const fields = text.replaceAll(' ', '').split(',')
  if (fields.length !== count || fields[0] === '' || fields[0]?.includes('-')) return undefined
  const numbers = fields.flatMap((field) => (field === '' ? [] : field.split('-')))
  const isNumber = (number: string) => /^(?:0|[1-9]\d{0,4})$/.test(number) && Number(number) <= 65_535
  return numbers.every(isNumber) ? fields.join(',') : undefined
}
