/** An entity as the questions look at it, read from the lists of the API. */
export interface Seen {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly text: string
  readonly tags: readonly string[]
  readonly taxonomies: readonly string[]
  readonly attacks: readonly string[]
  readonly observables: readonly { readonly type: string; readonly value: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: the documents of entities have many forms
  readonly data: any
  // biome-ignore lint/suspicious/noExplicitAny: the documents of entities have many forms
  readonly meta: any
  readonly created: number
}

/** Whether a text has these words in this order. */
export const says = (text: string, words: string): boolean => plain(text).includes(plain(words))
const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

export const tagged = ({ tags }: Seen, ...wanted: readonly string[]): boolean =>
  wanted.some((tag) => tags.includes(tag))
export const isIn = ({ taxonomies }: Seen, path: string): boolean =>
  taxonomies.some((each) => each === path || each.startsWith(`${path}/`))
export const uses = ({ attacks }: Seen, start: string): boolean => attacks.some((each) => each.startsWith(start))
export const holds = ({ observables }: Seen, type: string): boolean => observables.some((each) => each.type === type)

const RANKS: Readonly<Record<string, number>> = {
  NONE: 0,
  WHITE: 1,
  CLEAR: 1,
  GREEN: 2,
  AMBER: 3,
  AMBER_STRICT: 4,
  RED: 4,
}
export const rank = ({ meta }: Seen): number => RANKS[meta.tlp_color ?? 'NONE'] ?? 9

const confidenceOf = ({ data }: Seen): string => String(data.confidence?.value ?? data.confidence ?? '').toLowerCase()
export const sure = (seen: Seen, ...levels: readonly string[]): boolean => levels.includes(confidenceOf(seen))

/** All strings and numbers at a path, also in lists. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const items = Array.isArray(value) ? value : [value]
  if (path === '') return items.filter((item) => item !== null && item !== undefined && item !== '')
  const [name = '', ...rest] = path.split('.')
  return items.flatMap((item) =>
    typeof item === 'object' && item !== null ? valuesAt((item as Record<string, unknown>)[name], rest.join('.')) : [],
  )
}

export const equals = (seen: Seen, path: string, ...wanted: readonly unknown[]): boolean =>
  valuesAt(seen.data, path).some((value) =>
    wanted.some((each) => String(value).toLowerCase() === String(each).toLowerCase()),
  )
export const number = (seen: Seen, path: string, test: (value: number) => boolean): boolean =>
  valuesAt(seen.data, path).some((value) => typeof value === 'number' && test(value))
export const matches = (seen: Seen, path: string, test: (value: string) => boolean): boolean =>
  valuesAt(seen.data, path).some((value) => typeof value === 'string' && test(value.toLowerCase()))

/** The day that the clocks of the installation show. */
export const ZONE = 'Europe/Amsterdam'
const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, year: 'numeric', month: '2-digit', day: '2-digit' })
export const dayOf = (moment: unknown): string => (moment ? DAY.format(new Date(moment as string | number)) : '')

/** A day this many days from another. */
export function daysFrom(day: string, by: number): string {
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCDate(date.getUTCDate() + by)
  return date.toISOString().slice(0, 10)
}

/** The Monday of a week of the calendar, this many weeks from now. */
export function monday(weeks: number): string {
  const today = dayOf(Date.now())
  const weekday = (new Date(`${today}T12:00:00Z`).getUTCDay() + 6) % 7
  return daysFrom(today, 7 * weeks - weekday)
}

/** A month such as 2026-01, this many months from now. */
export function month(by: number): string {
  const [year = 0, number = 0] = dayOf(Date.now()).split('-').map(Number)
  const months = year * 12 + number - 1 + by
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}

export const HOUR = 3_600_000
export const ago = (seen: Seen): number => Date.now() - seen.created
