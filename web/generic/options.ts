import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { type Page, searchOf } from '../api/lists.ts'
import type { CollectionModel } from './collections.ts'
import { shortId } from './names.ts'
import { nameAttributes, nameField, nameOf } from './references.ts'

/** One of what can be chosen. */
export interface Option {
  readonly value: string
  readonly label: string
}

/** Collections without a search of their own are read up to here, and searched in the page. */
const MOST_READ = 2_000
const MOST_FOUND = 50

type Named = Readonly<Record<string, unknown>> & { readonly id: string | number }

/** What can be chosen of a collection; one that can be searched is searched for what was typed. */
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

/** What is asked for to have something to choose from. */
export function optionParameters(model: CollectionModel, asked: string) {
  const sort = nameField(model.shown)
  const attributes = nameAttributes(model.shown)
  if (model.isSearchable) return { attributes, limit: MOST_FOUND, ...(asked && { query: wordsOf(asked) }) }
  return { attributes, limit: MOST_READ, ...(sort && { sort }) }
}

/** All words that were typed, of which the last may go on. */
const wordsOf = (typed: string): string =>
  `${typed
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\+\-!(){}[\]^"~*?:/&|]/g, '\\$&'))
    .join(' AND ')}*`

/** An object as it is sent. */
export const pathOf = (model: CollectionModel, id: string): string => `/api/v2/${model.path}/${id}`
