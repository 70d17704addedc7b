import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Entity } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { isUnified, typeOf } from '../../intelligence/entity/entity-queries.ts'
import { EntityIcon } from '../../intelligence/entity-icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { DEFAULT_MATRIX, matrixName } from '../matrices.ts'
import { MatrixSwitch } from '../matrix-select.tsx'
import { classificationFaces } from './faces.ts'
import { CLASSIFICATION_LEGEND } from './legend-groups.ts'
import { MatrixBoard } from './matrix-board.tsx'
import { matrixTreeQuery } from './matrix-tree.ts'
import { NodePanel } from './node-panel.tsx'
import { OutsideNodes } from './outside-nodes.tsx'
import { useClassification } from './use-classification.ts'
import { useView } from './use-view.ts'

/** The matrix with what one entity is classified with; a click adds or removes a technique. */
export function ClassifyPage({ id }: { readonly id: string }) {
  const url = useUrlState()
  const shown = useView()
  const matrix = url.get('matrix') || DEFAULT_MATRIX
  const tree = useQuery(matrixTreeQuery(matrix))
  const { entity, nodes, change } = useClassification(id)
  const faceOf = useMemo(() => classificationFaces(nodes), [nodes])
  const why = useReadOnlyReason(entity.data)
  const fault = [entity, tree].find(({ error }) => error !== null)
  if (fault || !entity.data)
    return (
      <>
        <PageHead title="Classify" />
        {fault ? <LoadFault query={fault} /> : <Skeleton h={480} role="status" aria-label="Loading entity" />}
      </>
    )
  const toggle = (node: string) => {
    const place = tree.data?.places.get(node)
    const name = `${place?.externalId ?? node} ${place?.name ?? ''}`
    if (nodes.has(node)) change({ add: [], remove: [node] }, `${name} removed`)
    else change({ add: [node], remove: [] }, `${name} added`)
  }
  return (
    <>
      <PageHead
        title={`Classify “${entityTitle(entity.data)}”`}
        before={<EntityIcon type={typeOf(entity.data)} size={26} isDecoration />}
        description={why === '' && 'Click a technique, or press Space, to add or remove it. Changes are saved at once.'}
        actions={<Button renderRoot={(props) => <Link to="/entities/$id" params={{ id }} {...props} />}>Done</Button>}
      />
      <Stack gap="sm">
        {why !== '' && <Alert color="yellow">{why}</Alert>}
        <Group>
          <MatrixSwitch value={matrix} onChange={(next) => url.set({ matrix: next, node: null }, true)} />
        </Group>
        {tree.data && (
          <>
            <OutsideNodes
              matrix={matrix}
              ids={[...nodes].filter((node) => !tree.data.places.has(node))}
              {...(why === '' && { onChange: change })}
            />
            <MatrixBoard
              key={matrix}
              matrix={matrix}
              label={`${matrixName(matrix)} matrix`}
              title={`${matrixName(matrix)}: ${entityTitle(entity.data)}`}
              tree={tree.data}
              faceOf={faceOf}
              shown={shown}
              legend={CLASSIFICATION_LEGEND}
              {...(why === '' && { onToggle: toggle })}
              panel={(place, onClose) => (
                <NodePanel
                  place={place}
                  parameters={{ matrix }}
                  gap={undefined}
                  analysis={undefined}
                  onClose={onClose}
                />
              )}
            />
          </>
        )}
      </Stack>
    </>
  )
}

/** Why an entity cannot be classified here; empty if it can. */
function useReadOnlyReason(entity: Entity | undefined): string {
  const may = useMay()
  if (!may('modify entities'))
    return 'You can see the classification, but changing it requires the permission “modify entities”.'
  if (entity && isUnified(entity))
    return 'A unified entity has the techniques of its contributors. Classify one of them instead.'
  return ''
}
