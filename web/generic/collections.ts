import { type ApiDocument, answerOf, bodyOf, type Operation, resolved } from '../api/document.ts'
import type { Schema } from '../api/schema.ts'
import { inSentence } from '../ui/in-sentence.ts'
import { type FieldModel, fieldsOf, labelOf } from './fields.ts'

/** An operation on a collection, with the permission it requires. */
export interface Verb {
  readonly permission?: string
}

/** An action on one object other than reading and writing it. */
export interface ActionModel {
  readonly name: string
  readonly label: string
  readonly summary: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: (id: string) => string
  readonly permission?: string
  /** The fields of its request. */
  readonly inputs: readonly FieldModel[]
}

/** A nested list of one object, such as the deliveries of a webhook. */
export interface BelowModel {
  readonly slug: string
  readonly label: string
  readonly path: (id: string) => string
  readonly shown: readonly FieldModel[]
  readonly permission?: string
}

/** A collection of the API, with everything needed to render its pages. */
export interface CollectionModel {
  /** The name in references and in the API, such as `task_runs`. */
  readonly name: string
  /** The name in page URLs, such as `task-runs`. */
  readonly slug: string
  readonly path: string
  readonly title: string
  readonly label: string
  readonly description: string
  readonly shown: readonly FieldModel[]
  /** The fields of a new object. */
  readonly inputs: readonly FieldModel[]
  /** The fields that can be changed later. */
  readonly changeable: ReadonlySet<string>
  readonly isSearchable: boolean
  readonly verbs: Readonly<Partial<Record<'list' | 'get' | 'create' | 'update' | 'delete' | 'deleteMany', Verb>>>
  readonly actions: readonly ActionModel[]
  readonly below: readonly BelowModel[]
}

const BASE = '/api/v2/'

/** All collections with a list endpoint, by page name. */
export function collectionsOf(document: ApiDocument): ReadonlyMap<string, CollectionModel> {
  const found = Object.entries(document.paths).flatMap(([path, { get }]) => {
    const isList = get && path.startsWith(BASE) && !path.includes('{') && get.operationId === `list_${get.tags[0]}`
    const model = isList ? collectionOf(document, path, get) : undefined
    return model ? [model] : []
  })
  return new Map(found.map((model) => [model.slug, model]))
}

/** The page name of a collection. */
export const slugOf = (name: string): string => name.replaceAll('_', '-')

/** An operation with its required permission. */
const verbOf = (operation: Operation | undefined): Verb | undefined => {
  if (!operation) return undefined
  const permission = operation['x-corvus-permission']
  return permission ? { permission } : {}
}

function collectionOf(document: ApiDocument, path: string, list: Operation): CollectionModel | undefined {
  const [name = ''] = list.tags
  const many = document.paths[path] ?? {}
  const one = document.paths[`${path}/{id}`] ?? {}
  const item = itemOf(document, list)
  if (!item || !one.get) return undefined
  const tag = document.tags.find((each) => each.name === name)
  const sent = dataFields(document, many.post)
  const shown = fieldsOf(item, document).map((field) => shownAs(field, sent))
  const verbs = {
    list: verbOf(list),
    get: verbOf(one.get),
    create: verbOf(many.post),
    update: verbOf(one.patch),
    delete: verbOf(one.delete),
    deleteMany: verbOf(many.delete),
  }
  return {
    name,
    slug: slugOf(name),
    path: path.slice(BASE.length),
    title: tag?.['x-corvus-title'] ?? labelOf(name),
    label: labelOf(name),
    description: tag?.description ?? '',
    shown,
    inputs: inputsOf(sent, shown),
    changeable: new Set(dataFields(document, one.patch).map((field) => field.name)),
    isSearchable: list.parameters?.some((parameter) => parameter.name === 'query') ?? false,
    verbs: Object.fromEntries(Object.entries(verbs).filter(([, verb]) => verb)),
    actions: actionsOf(document, path, shown),
    below: belowOf(document, path),
  }
}

/** The schema of the objects in a list; undefined if the response is not a page of objects. */
function itemOf(document: ApiDocument, list: Operation): Schema | undefined {
  const { properties } = resolved(document.components.schemas, answerOf(list))
  return properties?.total_count ? properties.data?.items : undefined
}

const dataFields = (document: ApiDocument, operation: Operation | undefined): readonly FieldModel[] => {
  const { properties } = resolved(document.components.schemas, operation && bodyOf(operation))
  return properties?.data ? fieldsOf(properties.data, document) : []
}

/** Responses often describe as plain text what requests describe more precisely. */
function shownAs(field: FieldModel, sent: readonly FieldModel[]): FieldModel {
  const input = sent.find(({ name }) => name === field.name)
  if (!input || (field.kind !== 'long-text' && field.kind !== 'texts')) return field
  const isCloser = ['text', 'choice', 'choices'].includes(input.kind)
  return isCloser ? { ...field, kind: input.kind, ...(input.choices && { choices: input.choices }) } : field
}

/** Requests may accept more than responses return: every returned value can be sent back. */
function inputsOf(sent: readonly FieldModel[], shown: readonly FieldModel[]): readonly FieldModel[] {
  const chosen = sent.filter(({ name }) => name !== 'id')
  return chosen.map((input) => {
    const own = shown.find(({ name }) => name === input.name)
    if (!own) return input
    const narrower = input.kind === 'json' && own.kind !== 'json' ? own : input
    return { ...narrower, isRequired: input.isRequired, isNullable: own.isNullable, isReadOnly: false }
  })
}

function actionsOf(document: ApiDocument, path: string, shown: readonly FieldModel[]): readonly ActionModel[] {
  return Object.entries(document.paths).flatMap(([each, operations]) => {
    const name = each.startsWith(`${path}/{id}/`) ? each.slice(path.length + '/{id}/'.length) : ''
    // Links have separate endpoints and are written with the object.
    const isLink = shown.some((field) => field.name === name) || `${each}/{relation_id}` in document.paths
    if (!/^[a-z-]+$/.test(name) || isLink || isPage(document, operations.get)) return []
    return (['get', 'post', 'delete'] as const).flatMap((method) => {
      const operation = operations[method]
      if (!operation || !isPlain(document, method, operation)) return []
      return [
        {
          name,
          label: method === 'delete' ? `Remove ${inSentence(labelOf(name))}` : labelOf(name),
          summary: operation.summary,
          method: method.toUpperCase() as ActionModel['method'],
          path: (id: string) => `${path.slice(BASE.length)}/${id}/${name}`,
          ...verbOf(operation),
          inputs: dataFields(document, operation),
        },
      ]
    })
  })
}

/** Whether an action takes no input and returns something that a page can show: no file and no list. */
function isPlain(document: ApiDocument, method: string, operation: Operation): boolean {
  const answer = resolved(document.components.schemas, answerOf(operation)).properties
  if (answer?.total_count || answer?.data?.type === 'array') return false
  return method !== 'get' || answer?.data !== undefined
}

const isPage = (document: ApiDocument, list: Operation | undefined): boolean =>
  list !== undefined && itemOf(document, list) !== undefined

function belowOf(document: ApiDocument, path: string): readonly BelowModel[] {
  return Object.entries(document.paths).flatMap(([each, { get }]) => {
    const name = each.startsWith(`${path}/{id}/`) ? each.slice(path.length + '/{id}/'.length) : ''
    const item = get && /^[a-z-]+$/.test(name) ? itemOf(document, get) : undefined
    if (!item) return []
    return [
      {
        slug: name,
        label: labelOf(name),
        path: (id: string) => `${path.slice(BASE.length)}/${id}/${name}`,
        shown: fieldsOf(item, document),
        ...verbOf(get),
      },
    ]
  })
}
