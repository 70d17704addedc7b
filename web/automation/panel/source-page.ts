import type { Enricher, Observable } from '../../api/resources.ts'

/** Stands for the value of the observable. */
const PLACEHOLDER = /\$\{input\}/g

/** The address of the page about an observable at the source of an enricher; null if there is none. */
export function sourcePage(
  urls: Enricher['source_urls'] | undefined,
  { type, value }: Pick<Observable, 'type' | 'value'>,
): string | null {
  const template = urls?.[type]
  return typeof template === 'string' ? template.replace(PLACEHOLDER, () => encodeURIComponent(value)) : null
}
