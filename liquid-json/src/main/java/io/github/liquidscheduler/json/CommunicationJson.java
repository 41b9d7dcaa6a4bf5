package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.Communication;

/** The JSON form of how the tasks of a job exchange data. */
final class CommunicationJson {

  private static final String BYTES = "bytesPerIteration";

  private CommunicationJson() {}

  static Communication read(JsonValue in) {
    return in.object(
        fields ->
            switch (fields.type()) {
              case "none" -> new Communication.None();
              case "parameterServer" ->
                  new Communication.ParameterServer(
                      fields.required("serverRole", JsonValue::text),
                      fields.required("workerRole", JsonValue::text),
                      bytes(fields));
              case "allReduce" -> new Communication.AllReduce(bytes(fields));
              case "pipeline" -> new Communication.Pipeline(bytes(fields));
              case "allToAll" -> new Communication.AllToAll(bytes(fields));
              case "tensorParallel" ->
                  new Communication.TensorParallel(
                      fields.required("groupSize", JsonValue::integer), bytes(fields));
              case "combined" ->
                  new Communication.Combined(
                      fields.required("parts", parts -> parts.array(CommunicationJson::read)));
              default ->
                  throw fields.unknownType(
                      "none",
                      "parameterServer",
                      "allReduce",
                      "pipeline",
                      "allToAll",
                      "tensorParallel",
                      "combined");
            });
  }

  static void write(JsonOutput out, Communication communication) {
    out.object(() -> fields(out, communication));
  }

  private static void fields(JsonOutput out, Communication communication) {
    switch (communication) {
      case Communication.None none -> out.field("type", "none");
      case Communication.ParameterServer pattern -> {
        out.field("type", "parameterServer");
        out.field("serverRole", pattern.serverRole());
        out.field("workerRole", pattern.workerRole());
        out.field(BYTES, pattern.bytesPerIteration());
      }
      case Communication.AllReduce pattern -> sized(out, "allReduce", pattern.bytesPerIteration());
      case Communication.Pipeline pattern -> sized(out, "pipeline", pattern.bytesPerIteration());
      case Communication.AllToAll pattern -> sized(out, "allToAll", pattern.bytesPerIteration());
      case Communication.TensorParallel pattern -> {
        out.field("type", "tensorParallel");
        out.field("groupSize", pattern.groupSize());
        out.field(BYTES, pattern.bytesPerIteration());
      }
      case Communication.Combined combined -> {
        out.field("type", "combined");
        out.list("parts", combined.parts(), CommunicationJson::write);
      }
    }
  }

  private static void sized(JsonOutput out, String type, long bytesPerIteration) {
    out.field("type", type);
    out.field(BYTES, bytesPerIteration);
  }

  private static long bytes(JsonFields in) {
    return in.required(BYTES, QuantityJson::memory).bytes();
  }
}
