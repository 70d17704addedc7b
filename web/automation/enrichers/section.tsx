import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead } from '../../ui/page-head.tsx'

const SECTIONS = [
  { path: '/enrichers', label: 'Enrichers' },
  { path: '/enrichers/tables', label: 'Tables' },
  { path: '/enrichers/definitions', label: 'Own definitions' },
] as const

interface EnricherSectionProps {
  readonly path: (typeof SECTIONS)[number]['path']
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of the lists of enrichers, tables and definitions. */
export function EnricherSection({ path, actions, children }: EnricherSectionProps) {
  const navigate = useNavigate()
  return (
    <>
      <PageHead
        title="Enrichers"
        description="Look observables up in online services, tables and functions of the platform."
        actions={actions}
      />
      <Tabs value={path} onChange={(to) => to && void navigate({ to })} mb="md">
        <Tabs.List>
          {SECTIONS.map((section) => (
            <Tabs.Tab key={section.path} value={section.path}>
              {section.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={path} pt="md">
          {children}
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
