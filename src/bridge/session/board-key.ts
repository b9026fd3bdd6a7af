// The storage key of the board.

export const boardKey = 'board';
