import { type Content, shippedContent, type Technique } from './attack-bundle.ts'

/** What takes the place of T1562 and its sub-techniques, and of others. Two of them are ambiguous. */
const REVOKED: Readonly<Record<string, readonly string[]>> = {
  T1562: ['T1685', 'T1686', 'T1689'],
  'T1562.001': ['T1685.001'],
  'T1562.002': ['T1685.002'],
  'T1562.003': ['T1685.003'],
  'T1562.004': ['T1686'],
  'T1562.006': ['T1685.004'],
  'T1562.007': ['T1686'],
  'T1562.008': ['T1685.002'],
  'T1562.009': ['T1689'],
  'T1562.010': ['T1689'],
  'T1562.011': ['T1685.001'],
  'T1562.012': ['T1685.004', 'T1685.005'],
  'T1562.013': ['T1686'],
  'T1070.001': ['T1685.005'],
  T1656: ['T1684.001'],
}

/** The nodes of which users have to choose. */
export const AMBIGUOUS = ['TA0005:T1562', 'TA0005:T1562.012']

const added = (id: string, tactic: string): Technique => ({ id, name: `New ${id}`, tactics: [tactic] })

/**
 * A version like ATT&CK 19, which splits Defense Evasion: TA0005 becomes Stealth, TA0112 is new, T1562 is revoked into several techniques, and T1600
 * moves to the new tactic.
 */
export async function attack19(): Promise<Content> {
  const content = await shippedContent('enterprise-attack')
  return {
    ...content,
    version: '19.0',
    tactics: content.tactics.flatMap((tactic) =>
      tactic.id === 'TA0005'
        ? [
            { ...tactic, name: 'Stealth', shortName: 'stealth' },
            { id: 'TA0112', name: 'Defense Impairment', shortName: 'defense-impairment' },
          ]
        : [tactic],
    ),
    techniques: [
      ...content.techniques.map(next),
      ...['T1685', 'T1685.001', 'T1685.002', 'T1685.003', 'T1685.004', 'T1685.005', 'T1686', 'T1689'].map((id) =>
        added(id, 'defense-impairment'),
      ),
      ...['T1684', 'T1684.001'].map((id) => added(id, 'stealth')),
    ],
  }
}

function next(technique: Technique): Technique {
  const revokedBy = REVOKED[technique.id]
  // What is revoked keeps the name that its tactic had.
  if (revokedBy) return { ...technique, revokedBy }
  if (technique.revokedBy || technique.isDeprecated) return technique
  const into = technique.id.startsWith('T1600') ? 'defense-impairment' : 'stealth'
  return { ...technique, tactics: technique.tactics.map((name) => (name === 'defense-evasion' ? into : name)) }
}
