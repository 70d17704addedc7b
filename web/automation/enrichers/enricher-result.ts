/** One finding of a look-up, as the API returns it. */
export interface Finding {
  readonly kind: string
  readonly [name: string]: unknown
}

/** A linked observable. */
export interface FoundLink {
  readonly relation: string
  readonly type: string
  readonly value: string
  readonly first_seen: string | null
  readonly last_seen: string | null
}

/** An entity that a service names. */
export interface FoundEntity {
  readonly type: string
  readonly title: string
  readonly description: string
  readonly url: string | null
}

/** The findings of a look-up, sorted for display. */
export interface SortedFindings {
  readonly verdicts: readonly { readonly maliciousness: string; readonly reason: string }[]
  readonly links: readonly FoundLink[]
  readonly entities: readonly FoundEntity[]
  readonly tags: readonly string[]
  readonly nodes: readonly string[]
  readonly references: readonly { readonly url: string; readonly title: string }[]
  readonly attachments: readonly { readonly name: string; readonly size: number }[]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Sorts findings by kind. Members that are missing become empty texts. */
export function sortFindings(findings: readonly Finding[]): SortedFindings {
  const of = (kind: string) => findings.filter((each) => each.kind === kind)
  return {
    verdicts: of('verdict').map(({ maliciousness, reason }) => ({
      maliciousness: text(maliciousness),
      reason: text(reason),
    })),
    links: of('link').map(({ relation, observable, first_seen, last_seen }) => {
      const { type, value } = (observable ?? {}) as Readonly<Record<string, unknown>>
      return {
        relation: text(relation),
        type: text(type),
        value: text(value),
        first_seen: textOrNull(first_seen),
        last_seen: textOrNull(last_seen),
      }
    }),
    entities: of('entity').map(({ type, title, description, url }) => ({
      type: text(type),
      title: text(title),
      description: text(description),
      url: textOrNull(url),
    })),
    tags: of('tag').map(({ value }) => text(value)),
    nodes: of('attack').map(({ node }) => text(node)),
    references: of('reference').map(({ url, title }) => ({ url: text(url), title: text(title) })),
    attachments: of('attachment').map(({ name, size }) => ({ name: text(name), size: Number(size) || 0 })),
  }
}

const STRENGTH = ['safe', 'low', 'medium', 'high']

/** The strongest verdict among findings; null if there is none. */
export function strongestVerdict(findings: readonly Finding[]): string | null {
  const levels = sortFindings(findings).verdicts.map(({ maliciousness }) => STRENGTH.indexOf(maliciousness))
  return STRENGTH[Math.max(-1, ...levels)] ?? null
}

/** The relation of a link as words: `resolves-to` becomes `resolves to`. */
export const relationName = (relation: string): string => relation.replaceAll('-', ' ')
