import type { ComponentProps } from 'react'
import type { Dataset } from '../../api/resources.ts'
import { defangText } from '../../domain/defang-text.ts'
import { DatasetPage } from '../../intelligence/datasets/dataset.tsx'
import type { PageTab } from '../../ui/page-tabs.tsx'
import { ScopedMatrix } from './scoped-matrix.tsx'

const TABS: readonly PageTab<Dataset>[] = [
  {
    name: 'attack',
    label: 'ATT&CK',
    permission: 'read attack',
    show: ({ id, name }) => <ScopedMatrix name={defangText(name)} scope={{ dataset: id }} hasRelations={false} />,
  },
]

/** The page of a dataset, with the matrix of its entities. */
export const DatasetWithMatrix = ({ actions }: Pick<ComponentProps<typeof DatasetPage>, 'actions'>) => (
  <DatasetPage tabs={TABS} {...(actions && { actions })} />
)
