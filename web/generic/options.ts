import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { type Page, searchOf } from '../api/lists.ts'
import type { CollectionModel } from './collections.ts'
import { shortId } from './names.ts'
import { nameAttributes, nameField, nameOf } from './references.ts'

/** An option of a select. */
export interface Option {
  readonly value: string
  readonly label: string
}

/** Collections without a search endpoint are read up to this limit and filtered in the browser. */
const MAX_LOADED_OPTIONS = 2_000
const MAX_FOUND_OPTIONS = 50

type Named = Readonly<Record<string, unknown>> & { readonly id: string | number }

/** The options of a collection; searchable collections are queried with the typed text. */
export function optionsQuery(model: CollectionModel, typed: string) {
  const asked = model.isSearchable ? typed.trim() : ''
  return queryOptions({
    queryKey: [model.path, 'options', asked],
    queryFn: async ({ signal }): Promise<readonly Option[]> => {
      const { data } = await call<Page<Named>>(
        'GET',
        `${model.path}${searchOf(optionParameters(model, asked))}`,
        undefined,
        signal,
      )
      return data.map((object) => {
        const id = String(object.id)
        return { value: pathOf(model, id), label: nameOf(object) ?? shortId(id) }
      })
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

/** The query parameters for loading options. */
export function optionParameters(model: CollectionModel, asked: string) {
  const sort = nameField(model.shown)
  const attributes = nameAttributes(model.shown)
  if (model.isSearchable) return { attributes, limit: MAX_FOUND_OPTIONS, ...(asked && { query: wordsOf(asked) }) }
  return { attributes, limit: MAX_LOADED_OPTIONS, ...(sort && { sort }) }
}

/** A query for all typed words, the last one as a prefix. */
const wordsOf = (typed: string): string =>
  `${typed
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\+\-!(){}[\]^"~*?:/&|]/g, '\\$&'))
    .join(' AND ')}*`

/** A reference to an object, as it is sent. */
export const pathOf = (model: CollectionModel, id: string): string => `/api/v2/${model.path}/${id}`
