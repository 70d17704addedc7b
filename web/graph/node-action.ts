import type { ComponentType } from 'react'
import type { GraphState } from './use-graph.ts'

/** An action on nodes that another capability adds to their menu. */
export interface NodeAction {
  readonly label: string
  /** The permissions that it requires. */
  readonly permissions: readonly string[]
  /** Asks for details and acts on the nodes. */
  readonly Dialog: ComponentType<NodeActionProps>
}

export interface NodeActionProps {
  readonly graph: GraphState
  /** The keys of entities and observables. */
  readonly keys: ReadonlySet<string>
  readonly onClose: () => void
}
