import type { Resource } from '../../engine/definition.ts'
import { VARIANTS } from '../../engine/variants.ts'

type Json = Record<string, unknown>

/**
 * The schema of a resource by its name. Where the value of one field decides what another one is, it is a union, and the schemas of
 * its variants come with it. A PATCH may leave the deciding field out: its schema is no union.
 */
export function discriminate({ fields, title }: Resource, id: string, schema: Json): Readonly<Record<string, Json>> {
  const [deciding] = Object.entries(fields).flatMap(([name, { props }]) => {
    const variants = VARIANTS.get(props.input)
    return variants ? [{ name, ...variants }] : []
  })
  if (!deciding) return { [id]: schema }
  const { name, field, options } = deciding
  const named = options.map(({ value, schema: inner, ...texts }) => {
    const variant = {
      ...texts,
      type: 'object',
      properties: { [name]: { type: 'string', const: value }, [field]: inner },
      required: inner.required ? [name, field] : [name],
    }
    return { value, reference: pascal(`${title} ${value.split('.').at(-1)}`), variant }
  })
  const union = {
    ...schema,
    oneOf: named.map(({ reference }) => ({ $ref: `${SCHEMAS}${reference}` })),
    discriminator: {
      propertyName: name,
      mapping: Object.fromEntries(named.map(({ value, reference }) => [value, `${SCHEMAS}${reference}`])),
    },
  }
  return { [id]: union, ...Object.fromEntries(named.map(({ reference, variant }) => [reference, variant])) }
}

const SCHEMAS = '#/components/schemas/'

const pascal = (text: string): string =>
  text
    .split(/\W/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
