/** The beginning of the error of one of several items: its position; nothing for a single item. */
export const itemPrefix = (items: readonly unknown[], position: number): string =>
  items.length > 1 ? `[${position}].` : ''

/** The same as the beginning of a path. */
export const itemPath = (items: readonly unknown[], position: number): number[] => (items.length > 1 ? [position] : [])

/** One error for each group of items with the same key, with all their positions. Items without a key are never the same. */
export function duplicateFaults<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
  properties: string,
): string[] {
  const keys = items.map(keyOf)
  const given = keys.filter((key) => key !== undefined)
  if (new Set(given).size === given.length) return []
  const groups = [...Map.groupBy(keys.keys(), (i) => keys[i])]
  return groups.flatMap(([key, same]) =>
    key !== undefined && same.length > 1
      ? [`${same.map((i) => `[${i}]`).join(' and ')} have the same ${properties}.`]
      : [],
  )
}
