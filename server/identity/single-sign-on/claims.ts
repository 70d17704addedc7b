import type { Item } from '../../engine/resource.ts'

/** The values of a claim, or of one inside another; a single one is a list of one. */
export function valuesOf(claims: Item, path: string): string[] {
  const found = Object.hasOwn(claims, path) ? claims[path] : path.split('.').reduce<unknown>(inside, claims)
  const values = Array.isArray(found) ? found : [found]
  return values.filter((value) => ['string', 'number', 'boolean'].includes(typeof value)).map(String)
}

const inside = (claims: unknown, name: string): unknown =>
  typeof claims === 'object' && claims !== null && Object.hasOwn(claims, name) ? (claims as Item)[name] : undefined

/** Whether a provider keeps a claim back and says where else it would be told, as some do with long lists. */
export function isElsewhere({ _claim_names: elsewhere }: Item, path: string): boolean {
  return typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, path.split('.')[0] ?? '')
}
