declare module 'icon:*' {
  const drawing: { body: string; width: number; height: number };
  export default drawing;
}
