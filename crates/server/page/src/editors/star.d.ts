declare module "*.star" {
  const text: string;
  export default text;
}
