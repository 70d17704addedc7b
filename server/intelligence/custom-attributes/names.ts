import { entityData } from '../entities/entity-data.ts'

const taken: ReadonlySet<string> = new Set(entityData.options.flatMap(({ shape }) => Object.keys(shape)))

/** Whether no entity type has a field of this name in its data. */
export const isFreeName = (name: string): boolean => !taken.has(name)
