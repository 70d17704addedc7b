import { createContext } from 'react'
import type { Schemas } from '../api/schema.ts'

/** The schemas that the inputs of a form are derived from. */
export const SchemasContext = createContext<Schemas>({})

/** The props of every input in a form. */
export interface InputProps {
  readonly label: string
  readonly description: string | undefined
  readonly withAsterisk: boolean
  readonly error: string | undefined
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}
