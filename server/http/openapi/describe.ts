import { z } from 'zod'
import { createSchema, outputSchema, patchSchema } from '../../engine/body.ts'
import type { ExposedResource } from '../../engine/exposed-resource.ts'
import type { Route, RouteDoc, StandardDoc } from '../../engine/route.ts'
import { ATTRIBUTES, listParameters, type Parameter } from './parameters.ts'

/** Everything the OpenAPI document says about a route. */
export interface Described extends RouteDoc {
  readonly query: readonly Parameter[]
}

/** The documentation of a route: its own, or derived from the definition of its resource. */
export function describe({ doc }: Route): Described {
  if (!('verb' in doc)) return { query: [], ...doc }
  return doc.field === undefined ? describeOperation(doc) : describeLinks(doc, doc.field)
}

const wrapped = (schema: z.ZodType) => z.object({ data: schema })

/** The documentation of a standard operation. */
export function describeOperation({
  resource,
  verb,
  createsSeveral,
  example = resource.example,
  operationId = `${verb}_${resource.collection}`,
}: StandardDoc): Described {
  const output = outputSchema(resource)
  const plural = resource.collection.replaceAll('_', ' ')
  const about = (
    summary: string,
    rest: Omit<Described, 'operationId' | 'tag' | 'summary' | 'query'>,
    query = none,
  ) => ({
    operationId,
    tag: resource.collection,
    summary,
    query,
    ...rest,
  })
  switch (verb) {
    case 'list':
      return about(`List ${plural}`, { success: { 200: page(output) } }, listParameters(resource))
    case 'get':
      return about(`Get ${oneOf(resource)}`, { success: { 200: wrapped(output) }, refusals: [404] }, [ATTRIBUTES])
    case 'create': {
      const body = wrapped(createSchema(resource))
      return about(`Create ${oneOf(resource)}`, {
        body,
        example: { data: example },
        success: { 201: wrapped(createsSeveral ? z.array(output) : output) },
        refusals: [400, 409],
      })
    }
    case 'upsert': {
      const body = wrapped(z.array(createSchema(resource)))
      const success = { 200: wrapped(z.array(output)), 201: wrapped(z.array(output)) }
      return about(`Create or update several ${plural}`, {
        body,
        example: { data: [example] },
        success,
        refusals: [400, 409],
      })
    }
    case 'update': {
      const body = wrapped(patchSchema(resource))
      return about(`Update ${oneOf(resource)}`, {
        body,
        example: { data: example },
        success: { 200: wrapped(output) },
        refusals: [400, 404, 409],
      })
    }
    case 'delete':
      return about(`Delete ${oneOf(resource)}`, { success: { 204: null }, refusals: [404, 409] })
    case 'delete_many':
      return about(`Delete several ${plural}`, {
        body: ids,
        example: [1, 2],
        success: { 204: null },
        refusals: [400, 404, 409],
      })
  }
}

function describeLinks({ resource, verb }: StandardDoc, field: string): Described {
  const summaries: Record<string, string> = {
    list: `List the ${field} of ${oneOf(resource)}`,
    get: `Check whether an object is among the ${field}`,
    create: `Add to the ${field}`,
    upsert: `Add to the ${field}`,
    update: `Add one of the ${field}`,
    delete: `Remove one of the ${field}`,
  }
  const reference = z.url()
  const success = {
    list: { 200: wrapped(z.array(reference)) },
    get: { 200: wrapped(reference) },
    delete: { 204: null },
  }
  const hasBody = verb === 'create' || verb === 'upsert'
  return {
    operationId: `${verb}_${resource.collection}_${field}`,
    tag: resource.collection,
    summary: summaries[verb] ?? field,
    query: [],
    ...(hasBody && { body: wrapped(ids) }),
    success: success[verb as 'list'] ?? success.list,
    refusals: [400, 404],
  }
}

function oneOf({ title }: ExposedResource): string {
  const noun = title.toLowerCase()
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
}

const none: readonly Parameter[] = []
const ids = z.array(z.union([z.string(), z.int()]))

const page = (output: z.ZodType) =>
  z.object({
    count: z.int(),
    data: z.array(output),
    limit: z.int(),
    offset: z.int(),
    total_count: z.int(),
    cursor: z.string().nullable(),
  })
