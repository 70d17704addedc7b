import type { z } from 'zod'
import { type Access, Field } from './field-class.ts'
import type { Storage } from './storage.ts'

/** A field that is sorted and compared by the position of its values in a list. */
export function ordered<I extends z.ZodType, A extends Access, R extends boolean, S extends Storage>(
  values: readonly string[],
  { props }: Field<I, A, R, S>,
): Field<I, A, R, S> {
  // A spread widens the type of the storage, whose kind stays what it was.
  return new Field({ ...props, storage: { ...props.storage, order: values } as S })
}

/** The values of an ordered field, from the least to the greatest. */
export const orderOf = (storage: Storage): readonly string[] | undefined =>
  'order' in storage ? storage.order : undefined
