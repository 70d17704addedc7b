import { assistantFaults } from './assistant.ts'
import { attackFaults } from './attacks.ts'
import { automationFaults } from './automation.ts'
import { backgroundFaults } from './background.ts'
import { defenseFaults } from './defenses.ts'
import { definitionFaults } from './definitions.ts'
import { detonatorFaults } from './detonators.ts'
import { engineFaults } from './engine.ts'
import type { Fault } from './fault.ts'
import { feedFaults } from './feeds.ts'
import { formatFaults } from './formats.ts'
import { mergingFaults } from './merging.ts'
import { modelFaults } from './models.ts'
import { playbookFaults } from './playbooks.ts'
import { policyFaults } from './policies.ts'
import { readFaults } from './reads.ts'
import { retrievalFaults } from './retrieval.ts'
import { searchFaults } from './search.ts'
import { visibilityFaults } from './visibility.ts'

/** Every fault that `npm run faults` plants. */
export const faults: readonly Fault[] = [
  ...engineFaults,
  ...mergingFaults,
  ...visibilityFaults,
  ...readFaults,
  ...feedFaults,
  ...automationFaults,
  ...detonatorFaults,
  ...playbookFaults,
  ...policyFaults,
  ...definitionFaults,
  ...formatFaults,
  ...searchFaults,
  ...backgroundFaults,
  ...defenseFaults,
  ...attackFaults,
  ...modelFaults,
  ...assistantFaults,
  ...retrievalFaults,
]
