import { createContext } from 'react'
import type { Schemas } from '../api/schema.ts'

/** The schemas that the fields of a form are drawn from. */
export const SchemasContext = createContext<Schemas>({})

/** What each input of a form gets. */
export interface InputProps {
  readonly label: string
  readonly description: string | undefined
  readonly withAsterisk: boolean
  readonly error: string | undefined
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}
