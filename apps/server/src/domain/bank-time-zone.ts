/** The Federal Reserve settles in Eastern time, so a banking day is a day there. */
export const bankTimeZone = 'America/New_York';
