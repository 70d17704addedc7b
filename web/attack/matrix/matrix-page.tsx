import { Button, Skeleton, Stack } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { CompareScopeDialog } from '../analyses/compare-dialog.tsx'
import { AttackTabs } from '../attack-tabs.tsx'
import { urlOf } from '../scope.ts'
import { ScopeBar, useScope } from '../scope-bar.tsx'
import { ClassifyPage } from './classify-page.tsx'
import { CompareBoard } from './compare-board.tsx'
import { sideOf } from './comparison-side.ts'
import { HeatBoard } from './heat-board.tsx'
import { useSideName } from './use-side-name.ts'

/** The matrix of an attack framework, with what is known about each technique. */
export function Matrix() {
  const may = useMay()
  const classified = useUrlState().get('classify')
  const lacking = ['read attack', 'read entities'].find((permission) => !may(permission))
  return (
    <>
      <AttackTabs />
      {lacking ? (
        <>
          <PageHead title="Matrix" />
          <NoPermission permission={lacking} />
        </>
      ) : classified === '' ? (
        <Page />
      ) : (
        <ClassifyPage key={classified} id={classified} />
      )}
    </>
  )
}

function Page() {
  const url = useUrlState()
  const { scope, analysis, parameters, set } = useScope()
  const [isComparing, setIsComparing] = useState(false)
  const matrix = String(parameters?.matrix ?? scope.matrix)
  const name = useSideName(sideOf(scope))
  const versus = url.get('vs')
  const close = () => setIsComparing(false)
  return (
    <>
      <PageHead
        title={versus === '' ? 'Matrix' : 'Comparison'}
        actions={
          <>
            {versus !== '' && (
              <Button variant="default" onClick={() => url.set({ vs: null })}>
                Stop comparing
              </Button>
            )}
            <Button variant="default" onClick={() => setIsComparing(true)}>
              {versus === '' ? 'Compare' : 'Compare with another'}
            </Button>
          </>
        }
      />
      <Stack gap="sm">
        <ScopeBar scope={scope} matrix={matrix} onChange={set} />
        <LoadFault query={analysis} />
        {!parameters && !analysis.error && <Skeleton h={480} role="status" aria-label="Loading analysis" />}
        {parameters && versus !== '' && (
          <CompareBoard matrix={matrix} left={sideOf(scope)} right={versus} parameters={parameters} />
        )}
        {parameters && versus === '' && (
          <HeatBoard
            matrix={matrix}
            name={name}
            parameters={parameters}
            analysis={scope.kind === 'analysis' ? analysis.data?.id : undefined}
          />
        )}
      </Stack>
      {isComparing && (
        <CompareScopeDialog title="Compare this scope" matrix={matrix} scope={urlOf(scope)} onClose={close} />
      )}
    </>
  )
}
