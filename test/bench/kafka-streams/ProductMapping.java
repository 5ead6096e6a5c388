// The baseline of `npm run bench kafka`: reads product records, maps their columns to fields and writes them to another topic.
// Run as `java -cp JARS ProductMapping.java BROKERS IN OUT APPLICATION MAPPING.json STATE_FOLDER`; it ends when it is told to.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

public final class ProductMapping {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** By number of the import context: the field of each column. */
    private final Map<Integer, Map<String, String>> columns = new HashMap<>();
    /** Fields that several columns make together; of others the first column counts. */
    private final Set<String> lists = new HashSet<>();

    private ProductMapping(File mapping) throws IOException {
        JsonNode table = JSON.readTree(mapping);
        for (Map.Entry<String, JsonNode> context : table.get("contexts").properties()) {
            Map<String, String> fields = new HashMap<>();
            for (Map.Entry<String, JsonNode> column : context.getValue().properties())
                fields.put(column.getKey(), column.getValue().textValue());
            columns.put(Integer.valueOf(context.getKey()), fields);
        }
        for (JsonNode field : table.get("lists")) lists.add(field.textValue());
    }

    private byte[] map(byte[] value) {
        try {
            JsonNode record = JSON.readTree(value);
            Map<String, String> fieldOf = columns.get(record.get("context").intValue());
            ObjectNode mapped = JSON.createObjectNode();
            mapped.set("product", record.get("product"));
            mapped.set("kind", record.get("kind"));
            ObjectNode fields = mapped.putObject("fields");
            ObjectNode unmapped = mapped.putObject("unmapped");
            for (Map.Entry<String, JsonNode> cell : record.get("cells").properties()) {
                String field = fieldOf.get(cell.getKey());
                if (field == null) unmapped.set(cell.getKey(), cell.getValue());
                else add(fields, field, cell.getValue());
            }
            return JSON.writeValueAsBytes(mapped);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    private void add(ObjectNode fields, String field, JsonNode value) {
        JsonNode before = fields.get(field);
        if (before == null) fields.set(field, value);
        else if (lists.contains(field)) fields.set(field, addAll(addAll(JSON.createArrayNode(), before), value));
    }

    private static ArrayNode addAll(ArrayNode list, JsonNode value) {
        if (value.isArray()) value.forEach(list::add);
        else list.add(value);
        return list;
    }

    /** As the records came in: by the last four bytes of the product's id. */
    private static int partitionOf(String key, int partitions) {
        return (int) (Long.parseLong(key.substring(28), 16) % partitions);
    }

    private static Properties settings(String brokers, String application, String stateFolder) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, stateFolder);
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
        settings.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 4_000);
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 2_000);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.ACKS_CONFIG), "all");
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "zstd");
        // As ours: these records come out no smaller at the usual 3, for more time.
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_ZSTD_LEVEL_CONFIG), 1);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 100);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 512 * 1024);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.BUFFER_MEMORY_CONFIG), 64L * 1024 * 1024);
        return settings;
    }

    public static void main(String[] args) throws IOException {
        ProductMapping mapping = new ProductMapping(new File(args[4]));
        StreamsBuilder flow = new StreamsBuilder();
        flow.stream(args[1], Consumed.with(Serdes.String(), Serdes.ByteArray()))
            .mapValues(mapping::map)
            .to(args[2], Produced.with(Serdes.String(), Serdes.ByteArray()).withStreamPartitioner(
                (topic, key, value, partitions) -> Optional.of(Set.of(partitionOf(key, partitions)))));
        KafkaStreams streams = new KafkaStreams(flow.build(), settings(args[0], args[3], args[5]));
        streams.setUncaughtExceptionHandler(error -> {
            error.printStackTrace();
            Runtime.getRuntime().halt(1);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> streams.close(Duration.ofSeconds(10))));
        streams.start();
    }
}
