package firestoredb

import (
	"context"
	"errors"
	"math"
	"os"
	"time"

	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"
)

// reachTimeout is how long a call waits for a connection to the database. The client
// would go on until the whole call times out, as if the database were slow. An unanswered
// write is followed by a read, and both together end within ten seconds.
const reachTimeout = 3 * time.Second

// errUnreachable has no status code: the client repeats what has Unavailable.
var errUnreachable = errors.New("firestoredb: no connection to the database within " + reachTimeout.String())

// reach returns once the connection is ready.
func reach(ctx context.Context, connection *grpc.ClientConn) error {
	if connection.GetState() == connectivity.Ready {
		return nil
	}
	patient, cancel := context.WithTimeoutCause(ctx, reachTimeout, errUnreachable)
	defer cancel()
	connection.ResetConnectBackoff() // which grows to two minutes
	for {
		state := connection.GetState()
		if state == connectivity.Ready {
			return nil
		}
		connection.Connect() // does nothing but where it is idle
		if !connection.WaitForStateChange(patient, state) {
			return context.Cause(patient)
		}
	}
}

// dialOptions have each call reach the database first.
func dialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithChainUnaryInterceptor(
			func(
				ctx context.Context,
				method string,
				request, reply any,
				connection *grpc.ClientConn,
				invoke grpc.UnaryInvoker,
				options ...grpc.CallOption,
			) error {
				if err := reach(ctx, connection); err != nil {
					return err
				}
				return invoke(ctx, method, request, reply, connection, options...)
			},
		),
		grpc.WithChainStreamInterceptor(
			func(
				ctx context.Context,
				description *grpc.StreamDesc,
				connection *grpc.ClientConn,
				method string,
				open grpc.Streamer,
				options ...grpc.CallOption,
			) (grpc.ClientStream, error) {
				if err := reach(ctx, connection); err != nil {
					return nil, err
				}
				return open(ctx, description, connection, method, options...)
			},
		),
	}
}

// clientOptions have the client dial with those options. To the emulator it would dial
// by itself, with none.
func clientOptions() ([]option.ClientOption, error) {
	emulator := os.Getenv("FIRESTORE_EMULATOR_HOST")
	if emulator == "" {
		options := make([]option.ClientOption, 0, 2)
		for _, dial := range dialOptions() {
			options = append(options, option.WithGRPCDialOption(dial))
		}
		return options, nil
	}
	connection, err := grpc.NewClient("passthrough:///"+emulator, append(
		dialOptions(),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithPerRPCCredentials(owner{}),
		grpc.WithDefaultCallOptions(
			grpc.MaxCallRecvMsgSize(math.MaxInt32),
			grpc.MaxCallSendMsgSize(math.MaxInt32),
		),
	)...)
	if err != nil {
		return nil, err
	}
	return []option.ClientOption{option.WithGRPCConn(connection)}, nil
}

// owner is as whom the emulator lets one do everything.
type owner struct{}

func (owner) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer owner"}, nil
}

func (owner) RequireTransportSecurity() bool { return false }
