import type { Item } from '../../engine/context.ts'

/** The values of a claim or nested claim. A single value becomes a list of one. */
export function valuesOf(claims: Item, path: string): string[] {
  const found = Object.hasOwn(claims, path) ? claims[path] : path.split('.').reduce<unknown>(inside, claims)
  const values = Array.isArray(found) ? found : [found]
  return values.filter((value) => ['string', 'number', 'boolean'].includes(typeof value)).map(String)
}

const inside = (claims: unknown, name: string): unknown =>
  typeof claims === 'object' && claims !== null && Object.hasOwn(claims, name) ? (claims as Item)[name] : undefined

/** Whether the provider omits a claim and refers to another endpoint for it, as some do for long lists. */
export function isDistributedClaim({ _claim_names: elsewhere }: Item, path: string): boolean {
  return typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, path.split('.')[0] ?? '')
}
