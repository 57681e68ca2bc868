import { Module } from "@nestjs/common";
import "reflect-metadata";

export class AppModule {}
// What the decorator `@Module({})` does. Node only removes types.
Module({})(AppModule);
