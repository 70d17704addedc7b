/** The subset of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
  readonly allOf?: readonly Schema[]
  readonly if?: Schema
  readonly then?: Schema
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly contentMediaType?: string
  readonly 'x-corvus-advanced'?: boolean
  readonly 'x-corvus-collection'?: string
  readonly 'x-corvus-attribute'?: LinkAttribute
  readonly 'x-corvus-permission'?: string
}

/** An attribute of a link, such as the role of a member. */
export interface LinkAttribute {
  readonly name: string
  readonly values: readonly string[]
  readonly default: string
}

/** Schemas by name. */
export type Schemas = Readonly<Record<string, Schema>>
