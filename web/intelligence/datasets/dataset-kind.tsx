import { Badge } from '@mantine/core'
import type { Dataset } from '../../api/resources.ts'

export type Kind = 'static' | 'dynamic' | 'relational'

/** The types of datasets, which differ in how entities are selected. */
export const KINDS: Readonly<
  Record<Kind, { readonly label: string; readonly color: string; readonly description: string }>
> = {
  static: { label: 'Static', color: 'gray', description: 'Contains entities that are added by hand.' },
  dynamic: { label: 'Dynamic', color: 'blue', description: 'Always contains the entities that match its query.' },
  relational: {
    label: 'Relational',
    color: 'violet',
    description: 'Always contains the entities reached through relationships.',
  },
}

/** The type of a dataset. */
export function kindOf({ is_dynamic, is_relational }: Pick<Dataset, 'is_dynamic' | 'is_relational'>): Kind {
  if (is_relational) return 'relational'
  return is_dynamic ? 'dynamic' : 'static'
}

/** The type of a dataset, as text and colour. */
export function KindBadge({ dataset }: { readonly dataset: Dataset }) {
  const { label, color } = KINDS[kindOf(dataset)]
  return (
    <Badge variant="light" radius="xs" color={color}>
      {label}
    </Badge>
  )
}
