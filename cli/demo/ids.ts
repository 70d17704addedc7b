/** The ids that the server assigned to entities, by index; sixteen bytes each, so that millions fit in memory. */
export interface Ids {
  set(index: number, id: string): void
  get(index: number): string
}

/** Allocates space for a number of ids. */
export function createIds(count: number): Ids {
  const bytes = Buffer.alloc(count * 16)
  return {
    set: (index, id) => {
      bytes.write(id.replaceAll('-', ''), index * 16, 16, 'hex')
    },
    get: (index) =>
      bytes.toString('hex', index * 16, index * 16 + 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  }
}

/** Whether something is an id that fits in. */
export const isUuid = (id: unknown): id is string =>
  typeof id === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)
