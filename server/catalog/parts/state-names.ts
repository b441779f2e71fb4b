const territories = ['AS', 'GU', 'MP', 'PR', 'VI']
const associated = ['FM', 'MH', 'PW']

/** What kind of place a code stands for. */
export const stateKind = (code: string): string => {
  if (code === 'DC') return 'district'
  if (territories.includes(code)) return 'territory'
  return associated.includes(code) ? 'freely associated state' : 'state'
}
